# SPDX-License-Identifier: Apache-2.0
"""Figures printed in paper 003 (accuracies, seconds), by set.

TABLE4, TABLE6: {model: accuracy} at k = c. TABLE5, TABLE7: {model: seconds}. TABLE8, TABLE10: {model or (model, k):
accuracy};
TABLE9, TABLE11: two steps, {k: accuracy}.
"""
TABLE4 = {
    "Iris": {"Std MNB": 0.92, "Fast MNB": 0.9466, "Std DMNB": 0.9466, "Fast DMNB": 0.96},
    "Pima": {"Std MNB": 0.65, "Fast MNB": 0.6868, "Std DMNB": 0.6553, "Fast DMNB": 0.6645},
    "Vowel": {"Std MNB": 0.4535, "Fast MNB": 0.4969, "Std DMNB": 0.6192, "Fast DMNB": 0.6596},
    "Wine": {"Std MNB": 0.9706, "Fast MNB": 0.947, "Std DMNB": 0.9647, "Fast DMNB": 0.9765},
    "Wpbc": {"Std MNB": 0.7737, "Fast MNB": 0.7789, "Std DMNB": 0.7632, "Fast DMNB": 0.7632},
    "Ecoli": {"Std MNB": 0.7895, "Fast MNB": 0.795, "Std DMNB": 0.7788, "Fast DMNB": 0.806},
    "Iono": {"Std MNB": 0.6829, "Fast MNB": 0.7486, "Std DMNB": 0.7314, "Fast DMNB": 0.8031},
    "Sonar": {"Std MNB": 0.63, "Fast MNB": 0.61, "Std DMNB": 0.6, "Fast DMNB": 0.6596},
    "Seg": {"Std MNB": 0.6514, "Fast MNB": 0.6333, "Std DMNB": 0.6398, "Fast DMNB": 0.7632},
}
TABLE5 = {
    "Iris": {"Std DMNB": 1.885, "Fast DMNB": 1.1651},
    "Pima": {"Std DMNB": 3.5525, "Fast DMNB": 2.0802},
    "Vowel": {"Std DMNB": 24.8176, "Fast DMNB": 16.1795},
    "Wine": {"Std DMNB": 2.2563, "Fast DMNB": 1.0988},
    "Wpbc": {"Std DMNB": 3.0255, "Fast DMNB": 1.5965},
    "Ecoli": {"Std DMNB": 4.6465, "Fast DMNB": 3.9679},
    "Iono": {"Std DMNB": 5.2036, "Fast DMNB": 0.822},
    "Sonar": {"Std DMNB": 4.8948, "Fast DMNB": 1.0252},
    "Seg": {"Std DMNB": 120.2613, "Fast DMNB": 25.368},
}
TABLE6 = {
    "Nasa": {"Std LDA": 0.914, "Fast LDA": 0.9194, "Std DLDA": 0.922, "Fast DLDA": 0.9237},
    "Classic3": {"Std LDA": 0.6733, "Fast LDA": 0.6748, "Std DLDA": 0.671, "Fast DLDA": 0.6756},
    "Cmu-diff": {"Std LDA": 0.9677, "Fast LDA": 0.9773, "Std DLDA": 0.96, "Fast DLDA": 0.98},
    "Cmu-sim": {"Std LDA": 0.8143, "Fast LDA": 0.8553, "Std DLDA": 0.814, "Fast DLDA": 0.8653},
    "Cmu-same": {"Std LDA": 0.5633, "Fast LDA": 0.773, "Std DLDA": 0.6267, "Fast DLDA": 0.79},
}
TABLE7 = {
    "Nasa": {"Std DLDA": 549.1762, "Fast DLDA": 3.6359},
    "Classic3": {"Std DLDA": 2176.6794, "Fast DLDA": 114.3461},
    "Cmu-diff": {"Std DLDA": 1752.7828, "Fast DLDA": 27.569},
    "Cmu-sim": {"Std DLDA": 2344.6408, "Fast DLDA": 36.1029},
    "Cmu-same": {"Std DLDA": 1981.4625, "Fast DLDA": 40.1892},
}
TABLE8 = {
    "Iris": {"Fast DMNB c": 0.96, "Fast DMNB c+5": 0.96, "Fast DMNB c+10": 0.9667, "NB": 0.9533, "LR": 0.9333,
        "SVM": 0.9733},
    "Pima": {"Fast DMNB c": 0.7197, "Fast DMNB c+5": 0.7039, "Fast DMNB c+10": 0.7, "NB": 0.7578, "LR": 0.65,
        "SVM": 0.7671},
    "Vowel": {"Fast DMNB c": 0.6606, "Fast DMNB c+5": 0.698, "Fast DMNB c+10": 0.702, "NB": 0.6737, "LR": 0.4515,
        "SVM": 0.8354},
    "Wine": {"Fast DMNB c": 0.9765, "Fast DMNB c+5": 0.9882, "Fast DMNB c+10": 0.9765, "NB": 0.9705, "LR": 0.7471,
        "SVM": 0.9529},
    "Wpbc": {"Fast DMNB c": 0.7632, "Fast DMNB c+5": 0.7737, "Fast DMNB c+10": 0.7789, "NB": 0.7, "LR": 0.8457,
        "SVM": 0.7842},
    "Ecoli": {"Fast DMNB c": 0.8152, "Fast DMNB c+5": 0.8392, "Fast DMNB c+10": 0.8485, "NB": 0.8363, "LR": 0.803,
        "SVM": 0.8394},
    "Iono": {"Fast DMNB c": 0.8507, "Fast DMNB c+5": 0.8543, "Fast DMNB c+10": 0.8943, "NB": 0.8114, "LR": 0.7171,
        "SVM": 0.9171},
    "Sonar": {"Fast DMNB c": 0.66, "Fast DMNB c+5": 0.81, "Fast DMNB c+10": 0.82, "NB": 0.7268, "LR": 0.535,
        "SVM": 0.745},
    "Seg": {"Fast DMNB c": 0.6701, "Fast DMNB c+5": 0.7632, "Fast DMNB c+10": 0.7684, "NB": 0.685, "LR": 0.8307,
        "SVM": 0.9745},
}
TABLE9 = {
    "Iris": {"c": 0.9466, "c+5": 0.94, "c+10": 0.94},
    "Pima": {"c": 0.64, "c+5": 0.6368, "c+10": 0.6663},
    "Vowel": {"c": 0.4121, "c+5": 0.66, "c+10": 0.4858},
    "Wine": {"c": 0.9294, "c+5": 0.9176, "c+10": 0.9235},
    "Wpbc": {"c": 0.7632, "c+5": 0.7631, "c+10": 0.7157},
    "Ecoli": {"c": 0.7666, "c+5": 0.7636, "c+10": 0.8121},
    "Iono": {"c": 0.7057, "c+5": 0.8, "c+10": 0.86},
    "Sonar": {"c": 0.555, "c+5": 0.61, "c+10": 0.645},
    "Seg": {"c": 0.6082, "c+5": 0.6346, "c+10": 0.6043},
}
TABLE10 = {
    "Nasa": {"Fast DLDA c": 0.9237, "Fast DLDA c+15": 0.9232, "Fast DLDA c+30": 0.9301, "Fast DLDA c+50": 0.9237,
        "Fast DLDA c+100": 0.9261, "vMF": 0.9216, "NB": 0.9334, "LR": 0.9209, "SVM": 0.9192},
    "Classic3": {"Fast DLDA c": 0.6756, "Fast DLDA c+15": 0.6858, "Fast DLDA c+30": 0.6838, "Fast DLDA c+50": 0.6854,
        "Fast DLDA c+100": 0.6866, "vMF": 0.6509, "NB": 0.6766, "LR": 0.6396, "SVM": 0.6854},
    "Cmu-diff": {"Fast DLDA c": 0.98, "Fast DLDA c+15": 0.9747, "Fast DLDA c+30": 0.9817, "Fast DLDA c+50": 0.9823,
        "Fast DLDA c+100": 0.976, "vMF": 0.953, "NB": 0.9813, "LR": 0.9553, "SVM": 0.9563},
    "Cmu-sim": {"Fast DLDA c": 0.8653, "Fast DLDA c+15": 0.8713, "Fast DLDA c+30": 0.8707, "Fast DLDA c+50": 0.87,
        "Fast DLDA c+100": 0.8718, "vMF": 0.7447, "NB": 0.8613, "LR": 0.675, "SVM": 0.8357},
    "Cmu-same": {"Fast DLDA c": 0.79, "Fast DLDA c+15": 0.8458, "Fast DLDA c+30": 0.8468, "Fast DLDA c+50": 0.815,
        "Fast DLDA c+100": 0.8347, "vMF": 0.76, "NB": 0.841, "LR": 0.4823, "SVM": 0.812},
}
TABLE11 = {
    "Nasa": {"c": 0.9194, "c+15": 0.9118, "c+30": 0.908, "c+50": 0.9085, "c+100": 0.8926},
    "Classic3": {"c": 0.5609, "c+15": 0.5611, "c+30": 0.5611, "c+50": 0.5596, "c+100": 0.6537},
    "Cmu-diff": {"c": 0.9513, "c+15": 0.9756, "c+30": 0.976, "c+50": 0.9746, "c+100": 0.9423},
    "Cmu-sim": {"c": 0.856, "c+15": 0.855, "c+30": 0.853, "c+50": 0.8546, "c+100": 0.7726},
    "Cmu-same": {"c": 0.7733, "c+15": 0.8173, "c+30": 0.8183, "c+50": 0.804, "c+100": 0.6726},
}
